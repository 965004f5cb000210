import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A message as the product of a journey leaves it: nobody sends it. */
export interface Letter {
  to: string
  channel: 'sms' | 'email'
  purpose: string
  text: string
  code: string | null
}

/** The newest message to somebody that fits, once it is there: sending is a job of its own. */
export async function letterTo(dataDir: string, to: string, fits: (letter: Letter) => boolean = () => true): Promise<Letter> {
  const folder = join(dataDir, 'outbox')
  const until = Date.now() + 30_000
  while (Date.now() < until) {
    const found = read(folder)
      .filter((letter) => letter.to === to && fits(letter))
      .at(-1)
    if (found) return found
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`no message to ${to} in ${folder}`)
}

/** Names begin with the time. */
function read(folder: string): Letter[] {
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith('.json'))
    return names.sort().map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Letter)
  } catch {
    return []
  }
}
