// What members are notified of, and how, unless they choose otherwise.

export const MAIL_CHOICES = ['off', 'now', 'daily'] as const
export type MailChoice = (typeof MAIL_CHOICES)[number]

export interface KindChoice {
  inApp: boolean
  mail: MailChoice
}

/** In the order in which the settings list them. */
export const NOTIFICATION_KINDS = {
  assigned: { inApp: true, mail: 'off' },
  mentioned: { inApp: true, mail: 'off' },
  due: { inApp: true, mail: 'off' },
  overdue: { inApp: true, mail: 'off' },
  reminder: { inApp: true, mail: 'off' },
  import: { inApp: true, mail: 'off' },
  workflow: { inApp: true, mail: 'off' },
  // Disabled endpoints have always been announced by mail.
  endpoint: { inApp: true, mail: 'now' },
} as const satisfies Readonly<Record<string, KindChoice>>
export type NotificationKind = keyof typeof NOTIFICATION_KINDS

export const KIND_NAMES = Object.keys(NOTIFICATION_KINDS) as NotificationKind[]

/** Days for which notifications are kept. */
export const NOTIFICATION_DAYS = 90
/** Unread ones are counted up to this number. */
export const UNREAD_COUNT_MAX = 100
