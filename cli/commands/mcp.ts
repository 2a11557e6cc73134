import type { AddCommand } from '../command.js';
import { EXIT } from '../failures.js';
import { apiOf, settingsOf } from '../session.js';

const MORE = `
Programs that speak the Model Context Protocol start it, and talk to it over its standard input and
output. The key is that of an agent. docs/mcp.md says what to configure.`;

export const addMcp: AddCommand = (command, terminal, end) => {
  command.addHelpText('after', MORE).action(
    end(async () => {
      const settings = await settingsOf(terminal.shell, 'agent');
      // Only this command needs it, and the others start faster without it.
      const { serveTools } = await import('../mcp-stdio.js');
      await serveTools((withinSeconds) => apiOf(settings, terminal, { withinSeconds }), terminal);
      return EXIT.done;
    }),
  );
};
