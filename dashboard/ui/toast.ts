// Short notes at the corner, for what is not visible in place.
import { notifications } from '@mantine/notifications'
import { messageOf } from '../api/errors.ts'

export const toast = (message: string) => notifications.show({ message, color: 'gray' })

export const toastError = (error: unknown) =>
  notifications.show({ message: messageOf(error), color: 'red', autoClose: 8000, role: 'alert' })
