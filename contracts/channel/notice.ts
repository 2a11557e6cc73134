/** What a browser shows of questions that wait, and the page that it opens. */
export interface Notice {
  readonly title: string;
  readonly body: string;
  /** Notices with the same tag are one: the later takes the place of the earlier. */
  readonly tag: string;
  /** A page of the inbox. */
  readonly path: string;
}
