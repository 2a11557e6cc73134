/** Why a program cannot start or go on, in one line for the person who started it; needs no stack. */
export class StartupError extends Error {
  override readonly name: string = 'StartupError';
}

/** The port is taken by another program; another port would do. */
export class PortTakenError extends StartupError {
  constructor(host: string, port: number) {
    super(`Port ${port} on ${host} is already in use: stop what uses it, or set another PORT.`);
  }
}
