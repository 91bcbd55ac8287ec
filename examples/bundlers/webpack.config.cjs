// The package stays outside of the bundle, with all its entrances: at run time it is loaded from node_modules.

module.exports = {
  target: 'node',
  entry: './node_server.mjs',
  output: { filename: 'node_server.cjs' },
  externals: [/^ag-ui-native(\/|$)/],
  externalsType: 'commonjs',
}
