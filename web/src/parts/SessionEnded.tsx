import { Dialog } from './Dialog.js';
import { SignInForm } from './SignInForm.js';

/** Asks to sign in again over the page, which stays as it is. */
export function SessionEnded() {
  return (
    <Dialog title="Your session has ended">
      <p>Sign in again to go on. What you have typed is kept, and nothing was sent.</p>
      <SignInForm />
    </Dialog>
  );
}
