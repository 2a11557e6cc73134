/** A supervised process that holds a connection to the given port until it is asked to stop. */
import { connect } from 'node:net';
import { sayReady, untilStopRequested } from '../../../runtime/program.js';

const socket = connect(Number(process.argv[2]), '127.0.0.1');
socket.on('error', () => process.exit(1));
const stopRequested = untilStopRequested();
sayReady('ready');
await stopRequested;
process.exit(0);
