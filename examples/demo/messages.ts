/**
 * Picks what the demo shows out of the lines of a running stack: each message of a channel as one line
 * (its first two), and what the supervisor says of a process that ended.
 */
export function stackLines(show: (text: string) => void): (line: string) => void {
  let heading: string | undefined;
  return (line) => {
    if (heading !== undefined) show(`${heading}: ${line.trim()}`);
    heading = /^\[\w+\] to /.test(line) ? line : undefined;
    if (/starting again in|^Temporal CLI|so far$/.test(line)) show(line);
  };
}
