import { Mark } from '../parts/Frame.js';
import { SignInForm } from '../parts/SignInForm.js';
import css from './SignIn.module.css';

export function SignIn() {
  return (
    <main id="main" className={css.page}>
      <div className={css.card}>
        <div className={css.brand}>
          <Mark />
          Holdpoint
        </div>
        <h1>Sign in to the inbox</h1>
        <p className={css.intro}>
          Here agents ask, and people decide. Work goes on once somebody has answered.
        </p>
        <SignInForm />
      </div>
    </main>
  );
}
