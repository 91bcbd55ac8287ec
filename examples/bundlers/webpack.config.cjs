// The package is not bundled, with all its entry points: it is loaded from node_modules at run time.

module.exports = {
  target: 'node',
  entry: './node_server.mjs',
  output: { filename: 'node_server.cjs' },
  externals: [/^ag-ui-native(\/|$)/],
  externalsType: 'commonjs',
}
