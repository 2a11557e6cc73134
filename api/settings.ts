import { developmentKeys, loadKeys } from '../runtime/api-keys.js';
import { loadAgentStates } from '../runtime/agent-state.js';
import { loadBrowserSignIn } from '../runtime/browser-sign-in.js';
import { databaseUrl, loadConfig } from '../runtime/config.js';
import { withApiSecrets } from '../runtime/config-secrets.js';
import { loadDataConverter } from '../runtime/data-converter.js';
import { demandIdSecrets } from '../runtime/own-secrets.js';
import { linkOpener, loadLinkKeys } from '../runtime/link-tokens.js';
import { pageAddressOf } from '../runtime/metrics/page-server.js';
import { StartupError } from '../runtime/program.js';
import { loadPushKeys } from '../runtime/push-keys.js';
import { unknownVariables } from '../runtime/unknown-variables.js';
import { hostOf, isLoopback, noticeMsOf } from './server.js';
import { slackSettings } from './slack/start.js';

/**
 * Reads the settings of the API from the environment. Without keys it makes some for this machine alone.
 * @param cwd - relative paths of the environment start here
 * @throws StartupError that names the setting and the accepted form
 */
export async function apiSettings(env: NodeJS.ProcessEnv, cwd: string) {
  const written = loadConfig(env, cwd);
  const config = withApiSecrets(written, env);
  const isLocal = isLoopback(hostOf(env, false));
  const configured = loadKeys(env, cwd, isLocal);
  const dataConverter = await loadDataConverter(env, cwd);
  if (config.codec !== undefined && dataConverter === undefined) {
    throw new StartupError('codec of the configuration file needs HOLDPOINT_DATA_CONVERTER.');
  }
  const linkKeys = loadLinkKeys(env);
  const idSecrets = demandIdSecrets(env);
  return {
    config,
    isLocal,
    host: hostOf(env, configured === undefined),
    keys: configured?.keys ?? developmentKeys(),
    keyFile: configured?.file,
    areKeysMade: configured === undefined,
    dataConverter,
    /** Undefined if nobody may encode or decode payloads over HTTP. */
    codecs: config.codec && dataConverter?.payloadCodecs,
    idSecrets,
    signingIn: {
      issuer: config.sign_in,
      directory: config.directory,
      browserSignIn: loadBrowserSignIn(config, env),
      secret: idSecrets[0],
      session: config.session,
      agentsRead: config.authorization.agents_read,
    },
    agentStates: loadAgentStates(env),
    openLink: linkKeys && linkOpener(linkKeys),
    pushKey: loadPushKeys(env)?.[0].publicKey,
    slack: slackSettings(config, linkKeys),
    noticeMs: noticeMsOf(env),
    metricsAddress: pageAddressOf(env, 'HOLDPOINT_API_METRICS'),
    storeUrl: databaseUrl(env),
    temporalUi: temporalUiOf(env),
    /** Settings without effect, one a line. */
    warnings: unknownVariables(env, written),
  };
}

/** Returns the address of the pages of Temporal, if it is set. Throws StartupError if it is not an address of a page. */
function temporalUiOf({ HOLDPOINT_TEMPORAL_UI: address }: NodeJS.ProcessEnv): string | undefined {
  if (!address) return undefined;
  if (/^https?:\/\//.test(address) && URL.canParse(address)) return address.replace(/\/$/, '');
  throw new StartupError(
    `HOLDPOINT_TEMPORAL_UI is "${address}": it must begin with http:// or https://.`,
  );
}
