import type { Rule } from './rules.ts'

// One form as data: what was typed, what was left, what the server refused. Pure; `useForm` keeps one.

export type Values = Record<string, unknown>
export type Rules<V extends Values> = { readonly [K in keyof V]?: Rule<V[K], V> }
type Messages<V> = { readonly [K in keyof V]?: string }

export interface FormState<V extends Values> {
  values: V
  /** Changed at least once: leaving a field that was never touched says nothing. */
  changed: ReadonlySet<keyof V>
  /** Changed and left. */
  touched: ReadonlySet<keyof V>
  /** A submit was tried: every field speaks. */
  tried: boolean
  busy: boolean
  /** The server's word on a field; it holds until the field changes. */
  refused: Messages<V>
  /** The server's word on the whole. */
  refusal: unknown
}

export type FormAction<V extends Values> =
  | { type: 'change'; values: Partial<V> }
  | { type: 'leave'; field: keyof V }
  | { type: 'submit' }
  | { type: 'try' }
  | { type: 'refuse'; error: unknown; field: keyof V | null; message: string }
  | { type: 'done' }
  | { type: 'reset'; values: V }

export const newForm = <V extends Values>(values: V): FormState<V> => ({
  values,
  changed: new Set(),
  touched: new Set(),
  tried: false,
  busy: false,
  refused: {},
  refusal: null,
})

export function reduceForm<V extends Values>(state: FormState<V>, action: FormAction<V>): FormState<V> {
  switch (action.type) {
    case 'change': {
      const fields = Object.keys(action.values) as (keyof V)[]
      const refused = Object.fromEntries(Object.entries(state.refused).filter(([field]) => !fields.includes(field))) as Messages<V>
      return { ...state, values: { ...state.values, ...action.values }, changed: new Set([...state.changed, ...fields]), refused }
    }
    case 'leave':
      return state.changed.has(action.field) ? { ...state, touched: new Set([...state.touched, action.field]) } : state
    case 'try':
      return { ...state, tried: true }
    case 'submit':
      return { ...state, tried: true, busy: true, refused: {}, refusal: null }
    case 'refuse':
      return action.field === null
        ? { ...state, busy: false, refusal: action.error }
        : { ...state, busy: false, refused: { ...state.refused, [action.field]: action.message } }
    case 'done':
      return { ...state, busy: false }
    case 'reset':
      return newForm(action.values)
  }
}

/** Every field that is wrong now, in the rules' order, whether said or not. */
export function mistakesOf<V extends Values>(values: V, rules: Rules<V>): [keyof V, string][] {
  return (Object.keys(rules) as (keyof V)[]).flatMap((field) => {
    const message = rules[field]?.(values[field], values)
    return message ? [[field, message] as [keyof V, string]] : []
  })
}

/** What is said under a field: the server's word first, then ours once the field was left or a submit tried. */
export function messageAt<V extends Values>(state: FormState<V>, rules: Rules<V>, field: keyof V): string | null {
  const refused = state.refused[field]
  if (refused) return refused
  if (!state.tried && !state.touched.has(field)) return null
  return rules[field]?.(state.values[field], state.values) ?? null
}
