import { type FormEvent, type RefObject, useReducer, useRef } from 'react'
import { CallError, sentenceOf } from '../../api/messages.ts'
import { type FormAction, type FormState, messageAt, mistakesOf, newForm, type Rules, reduceForm, type Values } from './form-state.ts'

/** What a control of a form needs; spread it into the control. */
export interface Bound<T> {
  name: string
  value: T
  onChange: (value: T) => void
  onBlur: () => void
}

export interface Form<V extends Values> {
  /** Spread into `<form>`. */
  props: { ref: RefObject<HTMLFormElement | null>; onSubmit: (event: FormEvent) => void; noValidate: true; 'aria-busy': boolean }
  values: V
  busy: boolean
  /** What the server said of the whole; null while it said nothing. */
  refusal: unknown
  bind: <K extends keyof V & string>(field: K) => Bound<V[K]>
  message: (field: keyof V) => string | null
  change: (values: Partial<V>) => void
  reset: (values: V) => void
  /** Whether one field is right; if not it says so and takes the focus. */
  check: (field: keyof V & string) => boolean
}

/**
 * A form's state: rules are said on leaving a field and on submit, the first wrong field takes the focus, what the server
 * refuses is said at its field.
 * @example const form = useForm({ first: { account: '' }, rules: { account: rules.account }, submit: login, places: { 11001: 'password' } })
 */
export function useForm<V extends Values>({
  first,
  rules,
  submit,
  places = {},
}: {
  first: V
  rules: Rules<V>
  /** Rejects with what the server refused. */
  submit: (values: V) => Promise<void>
  /** Which field a business code of the server is about. */
  places?: Readonly<Record<number, keyof V>>
}): Form<V> {
  const [state, dispatch] = useReducer<FormState<V>, V, [FormAction<V>]>(reduceForm<V>, first, newForm)
  const box = useRef<HTMLFormElement>(null)

  const focus = (field: keyof V) => {
    const named = box.current?.querySelector<HTMLElement>(`[name="${String(field)}"]`)
    named?.focus()
  }
  const onSubmit = async (event: FormEvent) => {
    event.preventDefault()
    if (state.busy) return
    const wrong = mistakesOf(state.values, rules)[0]
    if (wrong) {
      dispatch({ type: 'try' })
      return focus(wrong[0])
    }
    dispatch({ type: 'submit' })
    try {
      await submit(state.values)
      dispatch({ type: 'done' })
    } catch (error) {
      const field = (error instanceof CallError && places[error.code]) || null
      dispatch({ type: 'refuse', error, field, message: sentenceOf(error) })
      if (field !== null) focus(field)
    }
  }
  return {
    props: { ref: box, onSubmit: (event) => void onSubmit(event), noValidate: true, 'aria-busy': state.busy },
    values: state.values,
    busy: state.busy,
    refusal: state.refusal,
    bind: (field) => ({
      name: field,
      value: state.values[field],
      onChange: (value) => dispatch({ type: 'change', values: { [field]: value } as unknown as Partial<V> }),
      onBlur: () => dispatch({ type: 'leave', field }),
    }),
    message: (field) => messageAt(state, rules, field),
    change: (values) => dispatch({ type: 'change', values }),
    reset: (values) => dispatch({ type: 'reset', values }),
    check: (field) => {
      if (!rules[field]?.(state.values[field], state.values)) return true
      dispatch({ type: 'change', values: { [field]: state.values[field] } as unknown as Partial<V> })
      dispatch({ type: 'leave', field })
      focus(field)
      return false
    },
  }
}
