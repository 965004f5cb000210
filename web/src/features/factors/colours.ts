import type { Extension } from '@codemirror/state'
import { Decoration, type DecorationSet, type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view'
import { type Token, tokensOf } from './tokens.ts'
import type { Vocabulary } from './vocabulary.ts'

const mark = (name: string) => Decoration.mark({ class: `formula-${name}` })
const marks = {
  comment: mark('comment'),
  number: mark('number'),
  text: mark('text'),
  function: mark('function'),
  factor: mark('factor'),
  local: mark('local'),
  word: mark('word'),
}

/** Colours by our own tokens: at most 2,000 characters, so all of them at every change. */
export function colours(known: () => Vocabulary): Extension {
  return ViewPlugin.fromClass(
    class {
      decorations: DecorationSet
      constructor(view: EditorView) {
        this.decorations = decorated(view, known())
      }
      update(update: ViewUpdate) {
        if (update.docChanged) this.decorations = decorated(update.view, known())
      }
    },
    { decorations: (plugin) => plugin.decorations },
  )
}

function decorated(view: EditorView, words: Vocabulary): DecorationSet {
  const tokens = tokensOf(view.state.doc.toString())
  const locals = new Set(tokens.filter((_, i) => tokens[i + 1]?.text === ':=').map(({ text }) => text.toLowerCase()))
  return Decoration.set(
    tokens.flatMap((token) => {
      const kind = kindOf(token, locals, words)
      return kind ? [marks[kind].range(token.start, token.end)] : []
    }),
  )
}

function kindOf(token: Token, locals: ReadonlySet<string>, words: Vocabulary): keyof typeof marks | null {
  if (token.kind === 'sign' || token.kind === 'other') return null
  if (token.kind !== 'name') return token.kind
  if (locals.has(token.text.toLowerCase())) return 'local'
  return words.words.length === 0 || words.factorNamed(token.text) ? 'factor' : null
}
