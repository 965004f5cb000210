// Comments of programs, kernels, sheets and of the trading client, as plain text with their line.
import { isCode, isKernel, lineAt } from './paths.mjs'

// Comments between marks in a sheet, also lines in a kernel, lines and docstrings in Python.
const patterns = {
  css: /\/\*([\s\S]*?)\*\//g,
  kernel: /\/\*([\s\S]*?)\*\/|\/\/([^\n]*)/g,
  python: /^[ \t]*(?:#([^\n]*)|(?:"{3}([\s\S]*?)"{3}))/gm,
}

/**
 * Lines of comment that follow each other are one comment; marks of documentation are left out.
 * @returns {{ file: string, line: number, text: string }[]}
 */
export function commentsOf(tree, file) {
  const merged = []
  for (const { text, at, end, isLine } of found(tree, file)) {
    const last = merged.at(-1)
    const between = last && tree.textOf(file).slice(last.end, at)
    if (isLine && last?.isLine && /^\n?[ \t]*$/.test(between)) Object.assign(last, { text: `${last.text}\n${text}`, end })
    else merged.push({ text, at, end, isLine })
  }
  return merged.map(({ text, at }) => ({ file, line: lineAt(tree.textOf(file), at), text: plain(text) }))
}

function found(tree, file) {
  const source = tree.textOf(file)
  const pattern = isKernel(file) ? patterns.kernel : file.endsWith('.css') ? patterns.css : file.endsWith('.py') ? patterns.python : null
  if (pattern) {
    return [...source.matchAll(pattern)].map(({ 0: whole, 1: first, 2: second, index }) => {
      const at = index + (whole.length - whole.trimStart().length)
      return { text: first ?? second, at, end: index + whole.length, isLine: /^(?:\/\/|#)/.test(whole.trimStart()) }
    })
  }
  if (!isCode(file)) return []
  return tree.factsOf(file).comments.map(({ text, at, end }) => ({ text, at, end, isLine: source.startsWith('//', at) }))
}

const plain = (text) =>
  text
    .replaceAll(/^[ \t]*\*+/gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
