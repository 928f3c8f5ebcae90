// A toast about work that takes a while. It appears after a short delay and disappears when the work is done.
import { Button, Group } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { formatCount } from '../../contract/counted.ts'

/** Shorter work needs no toast. */
const SHOWN_AFTER_MS = 400

const Words = ({ words, onStop }: { words: string; onStop: (() => void) | undefined }) => (
  <Group justify="space-between" gap={8}>
    <span>{words}</span>
    {onStop && (
      <Button variant="default" size="compact-sm" onClick={onStop}>
        Stop
      </Button>
    )}
  </Group>
)

/** @param total the number of items @param onStop called to stop the work; without it, the toast has no stop button */
export function toastProgress(message: string, total: number, onStop?: () => void) {
  const id = crypto.randomUUID()
  let done = 0
  const note = () => ({
    id,
    message: <Words words={`${message} ${formatCount(done)} of ${formatCount(total)}`} onStop={onStop} />,
    loading: true,
    autoClose: false as const,
    withCloseButton: false,
  })
  let isShown = false
  const timer = setTimeout(() => {
    isShown = true
    notifications.show(note())
  }, SHOWN_AFTER_MS)
  return {
    done(count: number): void {
      done = count
      if (isShown) notifications.update(note())
    },
    end(): void {
      clearTimeout(timer)
      notifications.hide(id)
    },
  }
}

export type ProgressToast = ReturnType<typeof toastProgress>
