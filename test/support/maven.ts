import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findExecutable, runCommand } from '../../temporal-config/commands.js';

const COPY_GOAL = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies';
const MAVEN_LIMIT_MS = 15 * 60_000;

/**
 * The SDK waits five seconds for a server, so a fast start matters more than peak speed. The first argument
 * that the SDK passes is the port.
 */
const LAUNCHER = `#!/bin/sh
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd) || exit 1
exec "\${JAVA_HOME:+$JAVA_HOME/bin/}java" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xshare:auto \\
  -cp "$here/lib/*" io.temporal.testserver.TestServer "$@"
`;

export interface MavenInstall {
  version: string;
  /** The launcher's file name. */
  program: string;
  env: NodeJS.ProcessEnv;
  log: (line: string) => void;
}

/**
 * Fetches the test server and its dependencies through Maven into `folder`, with a launcher that runs them
 * with Java. The jars are copied, so Maven's own repository may be emptied later. The launcher is a shell
 * script, so this does not work on Windows.
 *
 * @throws Error if Maven, Java or a POSIX shell is missing, or with Maven's last lines
 */
export async function mavenInstall(install: MavenInstall, folder: string): Promise<void> {
  const { version, program, env, log } = install;
  if (process.platform === 'win32') throw new Error('the launcher needs a POSIX shell');
  const mvn = await findExecutable('mvn', env);
  if (mvn === undefined) throw new Error('`mvn` is not on PATH');
  if (!env['JAVA_HOME'] && (await findExecutable('java', env)) === undefined) {
    throw new Error('`java` is not on PATH and JAVA_HOME is not set');
  }
  log(`fetching io.temporal:temporal-test-server:${version} with Maven`);
  const pom = join(folder, 'pom.xml');
  await writeFile(pom, pomOf(version));
  await runCommand({
    program: mvn,
    args: [
      '--batch-mode',
      '--no-transfer-progress',
      '--file',
      pom,
      COPY_GOAL,
      '-DincludeScope=runtime',
      `-DoutputDirectory=${join(folder, 'lib')}`,
    ],
    cwd: folder,
    env,
    label: 'fetching with Maven',
    log,
    limitMs: MAVEN_LIMIT_MS,
  });
  const launcher = join(folder, program);
  await writeFile(launcher, LAUNCHER);
  await chmod(launcher, 0o755);
}

/** `slf4j-nop`: without a logger the server complains about that at every start. */
function pomOf(version: string): string {
  return `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>holdpoint</groupId>
  <artifactId>test-server</artifactId>
  <version>1</version>
  <packaging>pom</packaging>
  <dependencies>
    <dependency>
      <groupId>io.temporal</groupId>
      <artifactId>temporal-test-server</artifactId>
      <version>${version}</version>
    </dependency>
    <dependency>
      <groupId>org.slf4j</groupId>
      <artifactId>slf4j-nop</artifactId>
      <version>1.7.36</version>
    </dependency>
  </dependencies>
</project>
`;
}
