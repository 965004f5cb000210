import { Presets, SingleBar } from 'cli-progress'
import { isJson } from './output.ts'
import { printable } from './text.ts'

/** How far a command is: a bar on a terminal, otherwise a plain line at every tenth. On standard error, so that results can be piped;
 * with `--json` only its sentences. */
export interface Progress {
  show(percent: number, text: string): void
  /** A sentence of its own line. */
  say(text: string): void
  end(): void
}

export function progress(out: NodeJS.WriteStream = process.stderr): Progress {
  if (isJson()) return { ...lines(out), show: () => {} }
  return out.isTTY ? bar(out) : lines(out)
}

function bar(out: NodeJS.WriteStream): Progress {
  const drawn = new SingleBar(
    { format: '{bar} {percentage}% {text}', stream: out, hideCursor: true, clearOnComplete: true },
    Presets.shades_classic,
  )
  let started = false
  const start = () => {
    if (!started) drawn.start(100, 0, { text: '' })
    started = true
  }
  const end = () => {
    if (started) drawn.stop()
    started = false
  }
  return {
    show(percent, text) {
      start()
      drawn.update(Math.min(100, Math.floor(percent)), { text: printable(text) })
    },
    say(text) {
      end()
      out.write(`${printable(text)}\n`)
    },
    end,
  }
}

function lines(out: NodeJS.WriteStream): Progress {
  let lastTenth = -1
  return {
    show(percent, text) {
      const tenth = Math.floor(percent / 10)
      if (tenth === lastTenth) return
      lastTenth = tenth
      out.write(`${String(Math.floor(percent)).padStart(3)}% ${printable(text)}\n`)
    },
    say: (text) => void out.write(`${printable(text)}\n`),
    end: () => {},
  }
}
