import { closeBrackets, closeBracketsKeymap, completionKeymap, startCompletion } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, redo, undo } from '@codemirror/commands'
import { bracketMatching } from '@codemirror/language'
import { type Diagnostic, setDiagnostics } from '@codemirror/lint'
import { Annotation, Compartment, EditorState, Prec, StateField } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  hoverTooltip,
  keymap,
  lineNumbers,
  placeholder,
  showTooltip,
  type Tooltip,
} from '@codemirror/view'
import type { FormulaIssue } from './check.ts'
import { colours } from './colours.ts'
import { wordCompletion } from './completion.ts'
import { serializeTransactions } from './serialize-transactions.ts'
import { callAt, nameAt } from './tokens.ts'
import type { Remark } from './units.ts'
import type { Vocabulary } from './vocabulary.ts'
import { signatureNode, wordNode } from './word-nodes.ts'

/** The editor as its component drives it. */
export interface EditorHandle {
  /** Replaces the whole text, as one step of undo. */
  setText(text: string): void
  setVocabulary(words: Vocabulary): void
  setProblems(mistake: FormulaIssue | null, remarks: readonly Remark[]): void
  setLocked(locked: boolean): void
  /** Puts text at the cursor; `back` steps back, into the parentheses. */
  insert(text: string, back?: number): void
  select(start: number, end: number): void
  undo(): void
  redo(): void
  focus(): void
  destroy(): void
}

export interface PenWishes {
  text: string
  onChange: (text: string) => void
  /** Line and column of the cursor, from 1. */
  onCursor: (line: number, column: number) => void
  onRun: () => void
}

/** Marks changes made by the component itself, for which `onChange` is not called. */
const ours = Annotation.define<boolean>()

const phrases = {
  Completions: '候选',
  'Control character': '控制字符',
  'Selection deleted': '已删除所选',
  'Folded lines': '已折叠',
  Diagnostics: '问题',
  'No diagnostics': '没有问题',
}

export function openPen(parent: HTMLElement, { text, onChange, onCursor, onRun }: PenWishes): EditorHandle {
  let words: Vocabulary = { words: [], functionNamed: () => null, factorNamed: () => null }
  const locked = new Compartment()
  const coloured = new Compartment()
  const known = () => words
  const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce
  const view = new EditorView({
    parent,
    dispatchTransactions: serializeTransactions(),
    state: EditorState.create({
      doc: text,
      extensions: [
        ...(nonce ? [EditorView.cspNonce.of(nonce)] : []),
        EditorState.phrases.of(phrases),
        lineNumbers(),
        highlightActiveLine(),
        highlightActiveLineGutter(),
        history(),
        drawSelection(),
        bracketMatching(),
        closeBrackets(),
        wordCompletion(known),
        hoverTooltip((inside, place) => hovered(inside.state.doc.toString(), place, known())),
        signatureHelp(known),
        coloured.of(colours(known)),
        locked.of(EditorState.readOnly.of(false)),
        placeholder('例如 close + conv_prem * 100；输入中文或拼音首字母可以找到函数和因子'),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': '公式', spellcheck: 'false', autocapitalize: 'off', autocorrect: 'off' }),
        Prec.highest([EditorView.domEventHandlers({ keydown: isHeldEnter }), keymap.of([{ key: 'Mod-Enter', run: handled(onRun) }])]),
        keymap.of([...closeBracketsKeymap, ...completionKeymap, ...historyKeymap, ...defaultKeymap]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !update.transactions.some((one) => one.annotation(ours))) onChange(update.state.doc.toString())
          if (update.docChanged || update.selectionSet) {
            const { head } = update.state.selection.main
            const line = update.state.doc.lineAt(head)
            onCursor(line.number, head - line.from + 1)
          }
        }),
      ],
    }),
  })
  return {
    setText(next) {
      if (next === view.state.doc.toString()) return
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next }, annotations: ours.of(true) })
    },
    setVocabulary(next) {
      words = next
      view.dispatch({ effects: coloured.reconfigure(colours(known)) })
    },
    setProblems(mistake, remarks) {
      const { length } = view.state.doc
      const within = (place: number) => Math.min(place, length)
      const found: Diagnostic[] = remarks.map(({ start, end, message }) => ({
        ...{ from: within(start), to: within(end), severity: 'warning', message },
      }))
      // What is missing at the end is shown at the last thing written.
      if (mistake) {
        const from = within(mistake.start) === length ? Math.max(0, length - 1) : mistake.start
        found.push({ from, to: Math.max(within(mistake.end), Math.min(from + 1, length)), severity: 'error', message: mistake.message })
      }
      view.dispatch(setDiagnostics(view.state, found))
    },
    setLocked(is) {
      view.dispatch({ effects: locked.reconfigure(EditorState.readOnly.of(is)) })
    },
    insert(what, back = 0) {
      const { from, to } = view.state.selection.main
      view.dispatch({ changes: { from, to, insert: what }, selection: { anchor: from + what.length - back }, userEvent: 'input' })
      view.focus()
      if (back > 0) startCompletion(view)
    },
    select(start, end) {
      const { length } = view.state.doc
      view.dispatch({ selection: { anchor: Math.min(start, length), head: Math.min(end, length) }, scrollIntoView: true })
    },
    undo: () => void undo(view),
    redo: () => void redo(view),
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  }
}

/** Ctrl+Enter that is held down a moment too long: it has run already, and a run is counted. */
const isHeldEnter = ({ key, repeat, ctrlKey, metaKey }: KeyboardEvent) => key === 'Enter' && repeat && (ctrlKey || metaKey)

/** A key that is done with once it has been heard. */
const handled = (act: () => void) => () => {
  act()
  return true
}

function hovered(text: string, place: number, words: Vocabulary): Tooltip | null {
  const token = nameAt(text, place)
  const word = token && (token.kind === 'function' ? words.functionNamed(token.text) : words.factorNamed(token.text))
  if (!token || !word) return null
  return { pos: token.start, end: token.end, above: true, create: () => ({ dom: wordNode(word) }) }
}

/** Inside the parentheses of a call: what it takes, the argument of now in bold. */
function signatureHelp(known: () => Vocabulary) {
  const tooltipOf = (state: EditorState): Tooltip | null => {
    const { main } = state.selection
    const call = main.empty ? callAt(state.doc.toString(), main.head) : null
    const word = call && known().functionNamed(call.name)
    if (!call || !word) return null
    return { pos: call.start, above: true, strictSide: false, arrow: false, create: () => ({ dom: signatureNode(word, call.argument) }) }
  }
  return StateField.define<Tooltip | null>({
    create: () => null,
    update: (before, change) => (change.docChanged || change.selection ? tooltipOf(change.state) : before),
    provide: (field) => showTooltip.from(field),
  })
}
