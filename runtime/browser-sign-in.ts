import type { ServerConfig } from '../contracts/server/config.js';
import type { BrowserSignInConfig, SignInConfig } from '../contracts/people/sign-in.js';
import { StartupError, type Environment } from './program.js';

export interface BrowserSignIn {
  readonly config: SignInConfig;
  readonly browser: BrowserSignInConfig;
  readonly clientSecret: string | undefined;
  readonly publicUrl: string;
}

/** Returns the environment variable with the client's secret, if the configuration names one. */
export function clientSecretVariables({ sign_in }: ServerConfig): readonly string[] {
  const named = sign_in?.browser?.client_secret;
  return named === undefined ? [] : [named.slice(1)];
}

/**
 * Reads the settings for signing in at the issuer; undefined without any.
 *
 * @throws StartupError if the secret or `public_url` is missing
 */
export function loadBrowserSignIn(
  config: ServerConfig,
  env: Environment,
): BrowserSignIn | undefined {
  const { sign_in, public_url } = config;
  if (sign_in?.browser === undefined) return undefined;
  if (public_url === undefined) {
    throw new StartupError(
      'sign_in.browser needs public_url, or HOLDPOINT_PUBLIC_URL: the issuer sends browsers back there.',
    );
  }
  const [variable] = clientSecretVariables(config);
  const clientSecret = variable === undefined ? undefined : env[variable];
  if (variable !== undefined && !clientSecret) {
    throw new StartupError(
      `sign_in.browser.client_secret: the environment variable ${variable} is not set.`,
    );
  }
  return { config: sign_in, browser: sign_in.browser, clientSecret, publicUrl: public_url };
}
