/** Part of `npm run build`: brings the viewer of the API's description into `dist`. */
import { runMain } from '../../runtime/program.js';
import { copyViewer } from './viewer.js';

await runMain(() => copyViewer('dist/api/openapi/viewer'));
