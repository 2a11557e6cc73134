import { LogLevel } from '@slack/socket-mode';
import type { Logger } from '@slack/socket-mode';

const nothing = (): void => undefined;

/** Logs nothing: what the client of Slack would log may hold what people sent. What matters is logged by who uses it. */
export function silentLogger(): Logger {
  return {
    debug: nothing,
    info: nothing,
    warn: nothing,
    error: nothing,
    setLevel: nothing,
    setName: nothing,
    getLevel: () => LogLevel.ERROR,
  };
}
