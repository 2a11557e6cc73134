import { startEmbeddedServer } from '../../store/embedded-server.js';

const [dataDir = ''] = process.argv.slice(2);
// The end of its input is the end of the test run that started it.
process.stdin.on('end', () => process.exit()).resume();
const { url } = await startEmbeddedServer({ dataDir });
console.log(url);
