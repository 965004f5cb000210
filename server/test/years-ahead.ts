// The closed days of the years that a product lacks whose journeys are about something else, as an operator would save the exchanges'
// notices: prints { year, closed: YYYY-MM-DD[] }[]; none while the program's own table goes on for a month.
import { datesOf } from '../src/market/calendar.ts'
import { madeUpYear, yearsAhead } from './made-up-year.ts'

console.log(JSON.stringify(yearsAhead(new Date()).map((year) => ({ year, closed: datesOf(year, madeUpYear(year)) }))))
