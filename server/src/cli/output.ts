import { printable } from './text.ts'

/**
 * What a command prints. With `--json` standard output gets exactly one object: the command's answer, else its text as `message`, else
 * `{error: …}`; sentences for people go to standard error. Names in a file are no commands to a terminal: control characters are left out.
 */
let json: { readonly lines: string[]; answered: boolean } | null = null

/** From here on `--json` holds. */
export function answerInJson(): void {
  json = { lines: [], answered: false }
}

export const isJson = (): boolean => json !== null

/** A line for people. */
export function print(text: string): void {
  if (json) json.lines.push(printable(text))
  else console.log(printable(text))
}

/** What was asked for: the value to programs, the text to people. */
export function answer(value: unknown, text: () => string): void {
  answerWith(() => JSON.stringify(value, null, 2), text)
}

/** The same where the JSON is there already, as of a report. */
export function answerWith(jsonText: () => string, text: () => string): void {
  if (!json) {
    console.log(printable(text()))
    return
  }
  // The second of two answers would make no JSON.
  if (json.answered) throw new Error('a command answers once')
  json.answered = true
  console.log(printable(jsonText()))
}

/** At the end of a command that is done. */
export function finishAnswer(): void {
  if (json && !json.answered) answer({ message: json.lines.join('\n') }, () => '')
}

/** At the end of a command that is not: one object, unless the answer was printed. */
export function answerError(error: {
  readonly code: number
  readonly message: string
  readonly issues?: readonly unknown[] | undefined
}): void {
  if (!json || json.answered) return
  const message = [...json.lines, error.message].filter(Boolean).join('\n')
  answer({ error: { code: error.code, message, ...(error.issues && { issues: error.issues }) } }, () => '')
}

/** What was printed and is not on standard output, for standard error. */
export const heldBack = (): string => (json && !json.answered ? json.lines.join('\n') : '')
