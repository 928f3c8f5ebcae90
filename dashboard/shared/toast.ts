// Short notes in the corner, for results that are not visible on the page.
import { notifications } from '@mantine/notifications'
import { messageOf } from './api/errors.ts'

export const toast = (message: string) => notifications.show({ message, color: 'gray' })

/** Shown once, even if it happens several times at the same time. */
export const toastOnce = (id: string, message: string) =>
  notifications.show({ id, message, color: 'gray', role: 'status' })

export const asSentence = (text: string) => (/[.?]$/.test(text) ? text : `${text}.`)

/** @param consequence a sentence about the resulting state, shown after the error */
export const toastError = (error: unknown, consequence?: string) =>
  notifications.show({
    message: consequence === undefined ? messageOf(error) : `${asSentence(messageOf(error))} ${consequence}`,
    color: 'red',
    autoClose: 8000,
    role: 'alert',
  })
