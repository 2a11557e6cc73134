import type { JsonObject } from '../../../contracts/json.js';

/** Plain calls of the API under one key, for what is read row by row. */
export class Api {
  private readonly base: string;
  private readonly key: string;

  constructor(baseUrl: string, key: string) {
    this.base = `${baseUrl}/v1`;
    this.key = key;
  }

  get<T>(path: string): Promise<T> {
    return this.send<T>('GET', path);
  }

  post<T>(path: string, body: object): Promise<T> {
    return this.send<T>('POST', path, body);
  }

  patch<T>(path: string, body: object): Promise<T> {
    return this.send<T>('PATCH', path, body);
  }

  /** Throws an Error with status and code where it is refused. */
  private async send<T>(method: string, path: string, body?: object): Promise<T> {
    const reply = await fetch(this.base + path, {
      method,
      headers: { 'x-api-key': this.key, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const parsed = (await reply.json()) as JsonObject;
    if (reply.ok) return parsed as T;
    throw new Error(
      `${method} ${path}: ${reply.status} ${JSON.stringify(parsed['code'] ?? parsed)}`,
    );
  }
}
