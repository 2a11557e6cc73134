/** A reply as a handler returns it. */
export interface Reply<Status extends number, Body, Headers> {
  readonly status: Status;
  readonly body: Body;
  readonly headers: Headers;
}

/** Builds a reply; its status, body and headers have to be among those the route declares. */
export function reply<const Status extends number, const Body, const Headers extends object>(
  status: Status,
  body: Body,
  headers?: Headers,
): Reply<Status, Body, Headers | undefined> {
  return { status, body, headers };
}
