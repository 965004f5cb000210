import { ConfirmDialog } from './confirm-dialog.tsx'
import { useOverlayQueue } from './queue.ts'
import { ToastList } from './toast-list.tsx'

/** What any function can open above the page: toasts and questions. */
export function Hosts() {
  const { questions } = useOverlayQueue()
  return (
    <>
      <ToastList />
      {questions.map(({ id, question, answer }) => (
        <ConfirmDialog key={id} {...question} onAnswer={answer} />
      ))}
    </>
  )
}
