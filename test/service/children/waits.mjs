// Says that it is ready and waits; its argument names what it does with SIGTERM.
const [manner] = process.argv.slice(2);
process.on('SIGTERM', () => {
  if (manner !== 'stubborn') process.exit(0);
});
process.on('disconnect', () => process.exit(0));
process.stdout.write('one line\n');
process.stderr.write('one complaint\n');
process.send('ready');
