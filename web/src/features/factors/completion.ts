import { acceptCompletion, autocompletion, type Completion, CompletionContext, completionStatus } from '@codemirror/autocomplete'
import { type Extension, Prec } from '@codemirror/state'
import { type EditorView, keymap } from '@codemirror/view'
import { nameAt } from './tokens.ts'
import { type CompletionEntry, type Vocabulary, wordsFor } from './vocabulary.ts'
import { wordNode } from './word-nodes.ts'

/**
 * Words that fit what is being typed. Tab takes the first of them however soon it is pressed: the words are here, nothing has to be
 * asked for, so what is typed on is answered in the same step and the list is never one of a moment ago.
 */
export function wordCompletion(known: () => Vocabulary): Extension {
  return [
    autocompletion({
      override: [(context) => completionsAt(context, known)],
      icons: false,
      interactionDelay: 0,
      maxRenderedOptions: 40,
      optionClass: (option) => (option.detail === undefined ? '' : `complete-${option.type ?? ''}`),
      addToOptions: [{ render: renderNote, position: 80 }],
    }),
    Prec.highest(keymap.of([{ key: 'Tab', run: (view) => acceptCompletion(view) || takeFirst(view, known) }])),
  ]
}

/** The list is on its way, as it is for a moment after the first letter: what it will begin with is taken. */
function takeFirst(view: EditorView, known: () => Vocabulary): boolean {
  if (completionStatus(view.state) !== 'pending') return false
  const found = completionsAt(new CompletionContext(view.state, view.state.selection.main.head, false), known)
  const first = found?.options[0]
  if (!first) return false
  first.apply(view, first, found.from, found.to)
  return true
}

function completionsAt(context: CompletionContext, known: () => Vocabulary): Found | null {
  const { words } = known()
  const text = context.state.doc.toString()
  const token = nameAt(text, context.pos)
  // In a comment or a text nothing is offered; after a space only when asked.
  if (!token && !context.explicit) return null
  const from = token?.start ?? context.pos
  const typed = text.slice(from, context.pos)
  const found = typed === '' ? words.filter(({ unavailable }) => !unavailable).slice(0, 40) : wordsFor(words, typed)
  if (found.length === 0) return null
  const followed = text[token?.end ?? context.pos] === '('
  return {
    ...{ from, to: token?.end ?? context.pos, filter: false, options: found.map((word) => optionOf(word, followed)) },
    update: (_before, _from, _to, now) => completionsAt(now, known),
  }
}

interface Found {
  from: number
  to: number
  filter: false
  options: Option[]
  /** What fits after one more letter, at once. */
  update: (before: unknown, from: number, to: number, now: CompletionContext) => Found | null
}
type Option = Completion & { apply: (view: EditorView, option: Completion, from: number, to: number) => void }

/** A function comes with its parentheses and the cursor in them. */
function optionOf(word: CompletionEntry, followed: boolean): Option {
  return {
    label: word.text,
    displayLabel: word.label,
    detail: word.text,
    type: word.unavailable ? 'unavailable' : word.kind,
    info: () => wordNode(word),
    apply: (view, _option, from, to) => {
      const open = word.kind === 'function' && !followed
      const insert = open ? `${word.text}()` : word.text
      const anchor = from + insert.length - (open && (word.args?.length ?? 0) > 0 ? 1 : 0)
      view.dispatch({ changes: { from, to, insert }, selection: { anchor }, userEvent: 'input.complete' })
    },
  }
}

function renderNote(completion: Completion): Node | null {
  if (completion.type !== 'unavailable') return null
  const note = document.createElement('span')
  note.className = 'complete-note'
  note.textContent = '无数据'
  return note
}
