const faults: string[] = [];

/** Notes a reply that the OpenAPI document does not allow. */
export function noteReplyFault(fault: string): void {
  faults.push(fault);
}

/** What was noted since the last call. */
export function takeReplyFaults(): readonly string[] {
  return faults.splice(0);
}
