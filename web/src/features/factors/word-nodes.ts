import type { CompletionEntry } from './vocabulary.ts'

// What the editor shows about a word: elements made by hand, since CodeMirror places them outside of React.

function element(tag: string, className: string, ...children: (Node | string)[]): HTMLElement {
  const made = document.createElement(tag)
  made.className = className
  made.append(...children)
  return made
}

/** Its name, how it is written, what it means. */
export function wordNode(word: CompletionEntry): HTMLElement {
  const node = element('div', 'word-card')
  const head = element('div', 'word-head', element('b', '', word.label), element('span', 'mono', word.signature ?? word.text))
  node.append(head)
  if (word.doc) node.append(element('p', '', word.doc))
  if (word.args && word.args.length > 0) {
    const list = element('dl', '')
    for (const arg of word.args)
      list.append(element('dt', 'mono', arg.name), element('dd', '', arg.optional ? `${arg.desc}，可不写` : arg.desc))
    node.append(list)
  }
  if (word.example) node.append(element('p', 'word-example mono', word.example))
  const foot = word.unavailable ?? (word.kind === 'factor' ? `${word.category} · ${word.note === word.category ? '因子' : word.note}` : '')
  if (foot) node.append(element('p', word.unavailable ? 'word-unavailable' : 'word-foot', foot))
  return node
}

/** `ts_rank(x, **n**, [mp])` and what that argument is. */
export function signatureNode(word: CompletionEntry, at: number): HTMLElement {
  const args = word.args ?? []
  const last = args.length - 1
  const current = args[last]?.repeat ? Math.min(at, last) : at
  const line = element('div', 'mono', `${word.text}(`)
  args.forEach((arg, i) => {
    if (i > 0) line.append(', ')
    const shown = arg.repeat ? `${arg.name}, …` : arg.optional ? `[${arg.name}]` : arg.name
    line.append(i === current ? element('b', '', shown) : shown)
  })
  line.append(')')
  const node = element('div', 'word-signature', line)
  const now = args[current]
  node.append(element('p', '', now ? `${now.name}：${now.desc}` : args.length === 0 ? `${word.label}，没有参数` : '参数已经写满'))
  return node
}
