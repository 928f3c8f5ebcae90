// Short notes at the corner, for what is not visible in place.
import { notifications } from '@mantine/notifications'
import { messageOf } from './api/errors.ts'

export const toast = (message: string) => notifications.show({ message, color: 'gray' })

/** Shown once, however often it happens at the same time. */
export const toastOnce = (id: string, message: string) =>
  notifications.show({ id, message, color: 'gray', role: 'status' })

export const asSentence = (text: string) => (/[.?]$/.test(text) ? text : `${text}.`)

/** @param consequence a sentence about what is now, after what went wrong */
export const toastError = (error: unknown, consequence?: string) =>
  notifications.show({
    message: consequence === undefined ? messageOf(error) : `${asSentence(messageOf(error))} ${consequence}`,
    color: 'red',
    autoClose: 8000,
    role: 'alert',
  })
