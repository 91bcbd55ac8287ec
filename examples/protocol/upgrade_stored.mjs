// Converts stored inputs of 0.x to 1.0: `node upgrade_stored.mjs < old.json > new.json`

import { json } from 'node:stream/consumers'
import { upgradeInput } from 'ag-ui-native/compat'

const { input, warnings } = upgradeInput(/** @type {object} */ (await json(process.stdin)))
process.stdout.write(JSON.stringify(input))
for (const { path, message } of warnings) console.error(path, message)
