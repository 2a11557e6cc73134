/** How containers of a target of the Dockerfile run. */
export interface Image {
  /** The image that it starts from, outside of the Dockerfile. */
  readonly base: string;
  readonly env: Readonly<Record<string, string>>;
  readonly labels: Readonly<Record<string, string>>;
  /** `<uid>:<gid>`; empty if the Dockerfile sets none. */
  readonly user: string;
  readonly workdir: string;
  readonly entrypoint: readonly string[];
  readonly cmd: readonly string[];
  /** The command of the health check; empty without one. */
  readonly health: readonly string[];
}

type Instruction = readonly [keyword: string, rest: string];

function instructionsIn(text: string): readonly Instruction[] {
  return text
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line): Instruction => {
      const [keyword = '', ...rest] = line.trim().split(' ');
      return [keyword, rest.join(' ').trim()];
    });
}

function pairsIn(rest: string): Readonly<Record<string, string>> {
  const pairs = rest.matchAll(/(?<![\w.])([\w.]+)=(?:"([^"]*)"|(\S*))/g);
  return Object.fromEntries(
    [...pairs].map(([, name = '', quoted, plain]) => [name, quoted ?? plain ?? '']),
  );
}

/** The JSON form of a command. Others have no meaning here: hadolint refuses them. */
function commandIn(rest: string): readonly string[] {
  const start = rest.indexOf('[');
  return start < 0 ? [] : (JSON.parse(rest.slice(start)) as string[]);
}

function changedBy(image: Image, [keyword, rest]: Instruction): Image {
  switch (keyword) {
    case 'ENV':
      return { ...image, env: { ...image.env, ...pairsIn(rest) } };
    case 'LABEL':
      return { ...image, labels: { ...image.labels, ...pairsIn(rest) } };
    case 'USER':
      return { ...image, user: rest };
    case 'WORKDIR':
      return { ...image, workdir: rest };
    case 'ENTRYPOINT':
      return { ...image, entrypoint: commandIn(rest) };
    case 'CMD':
      return { ...image, cmd: commandIn(rest) };
    case 'HEALTHCHECK':
      return { ...image, health: commandIn(rest) };
    default:
      return image;
  }
}

/**
 * Reads how containers of a target run.
 *
 * @throws Error if the Dockerfile has no such target
 */
export function imageOf(dockerfile: string, target: string): Image {
  const stages = new Map<string, Image>();
  let name = '';
  for (const instruction of instructionsIn(dockerfile)) {
    const [keyword, rest] = instruction;
    if (keyword === 'FROM') {
      const [from = '', , stage = ''] = rest.split(' ');
      name = stage;
      stages.set(name, stages.get(from) ?? newImage(from));
    } else {
      const image = stages.get(name);
      if (image !== undefined) stages.set(name, changedBy(image, instruction));
    }
  }
  const image = stages.get(target);
  if (image === undefined) throw new Error(`The Dockerfile has no target ${target}.`);
  return image;
}

function newImage(base: string): Image {
  return {
    base,
    env: {},
    labels: {},
    user: '',
    workdir: '/',
    entrypoint: [],
    cmd: [],
    health: [],
  };
}
