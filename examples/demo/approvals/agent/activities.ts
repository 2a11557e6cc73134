/** Builds a version of a commit. */
export async function build(commit: string): Promise<string> {
  return Promise.resolve(`v-${commit}`);
}

/** Deploys a version. */
export async function deploy(version: string): Promise<void> {
  await Promise.resolve(version);
}

/** Reads the balance of an account. */
export async function readBalance(account: string): Promise<string> {
  return Promise.resolve(`balance of ${account}: 12000`);
}

const paid = new Map<string, number>();

/** Pays an amount, once for a key. Returns how much was paid. */
export async function pay(amount: number, key: string): Promise<string> {
  if (!paid.has(key)) paid.set(key, amount);
  return Promise.resolve(`paid ${paid.get(key)}`);
}
