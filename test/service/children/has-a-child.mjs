// Starts a process that knows nothing of a parent, connected to the port that is given.
import { spawn } from 'node:child_process';

const [port] = process.argv.slice(2);
const script = `require('node:net').connect(${port}, '127.0.0.1')`;
spawn(process.execPath, ['-e', script], { stdio: 'ignore' });
process.on('disconnect', () => process.exit(0));
