import { type Question, useOverlayQueue } from './overlay/queue.ts'

let next = 1

/** Asks before something that cannot be undone. Where the dialog's code does not come the browser's own asks. */
export async function confirm(question: Question): Promise<boolean> {
  const code = await import('./overlay/hosts.tsx').catch(() => null)
  if (!code) return window.confirm(`${question.title}\n${question.text}`)
  return new Promise((resolve) => {
    const id = next++
    const answer = (yes: boolean) => {
      useOverlayQueue.setState(({ questions }) => ({ questions: questions.filter((one) => one.id !== id) }))
      resolve(yes)
    }
    useOverlayQueue.setState(({ questions }) => ({ questions: [...questions, { id, question, answer }] }))
  })
}
