process.stderr.write('the reason why\n');
process.exit(3);
