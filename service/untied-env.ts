/** What points a service at somebody's data, keys or servers. */
const TIES =
  /^(HOLDPOINT_(API_KEYS|CONFIG|DATA_CONVERTER|DATA_DIR|WORKFLOW_BUNDLE)|DATABASE_URL|PORT|HOST|TEMPORAL_(?!CLI_PATH$)\w+)$/;

/** An environment without its ties, for a stack that must touch nothing of yours: a demo, a bench, a test. */
export function untiedEnv(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !TIES.test(name)));
}
