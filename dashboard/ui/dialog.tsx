// A question or a form above the page, which Escape closes before anything below it.
import { Modal, type ModalProps } from '@mantine/core'
import { useLayer } from './layers.ts'

/** Render it while it is open. */
export function Dialog({ onClose, ...modal }: Omit<ModalProps, 'opened'>) {
  useLayer(onClose)
  return <Modal {...modal} opened onClose={onClose} closeOnEscape={false} />
}
