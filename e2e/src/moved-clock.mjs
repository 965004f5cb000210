// Preloaded into every process of a product (`NODE_OPTIONS=--import`): its clock runs by as many milliseconds ahead as the file of
// CLOCK_OFFSET_FILE says, and follows the file when it changes. PostgreSQL keeps the machine's own clock.
import { readFileSync } from 'node:fs'

const file = process.env['CLOCK_OFFSET_FILE']
const RealDate = Date
let offset = 0

function read() {
  const said = Number(readFileSync(file, 'utf8'))
  if (Number.isFinite(said)) offset = said
}

if (file) {
  read()
  setInterval(read, 100).unref()
  globalThis.Date = class extends RealDate {
    constructor(...given) {
      if (given.length === 0) super(RealDate.now() + offset)
      else super(...given)
    }
    static now() {
      return RealDate.now() + offset
    }
  }
}
