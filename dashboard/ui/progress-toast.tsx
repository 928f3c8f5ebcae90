// A note on work that takes a while: it comes after a moment, and goes when the work is done.
import { notifications } from '@mantine/notifications'
import { formatCount } from '../../contract/counted.ts'

/** What is done sooner needs no note. */
const SHOWN_AFTER_MS = 400

/** @param total how many there are to do */
export function toastProgress(message: string, total: number) {
  const id = crypto.randomUUID()
  let done = 0
  const words = () => `${message} ${formatCount(done)} of ${formatCount(total)}`
  let isShown = false
  const timer = setTimeout(() => {
    isShown = true
    notifications.show({ id, message: words(), loading: true, autoClose: false, withCloseButton: false })
  }, SHOWN_AFTER_MS)
  return {
    done(count: number): void {
      done = count
      if (isShown)
        notifications.update({
          id,
          message: words(),
          loading: true,
          autoClose: false,
          withCloseButton: false,
        })
    },
    end(): void {
      clearTimeout(timer)
      notifications.hide(id)
    },
  }
}
