// Kinds of notifications, with their default settings.

export const MAIL_CHOICES = ['off', 'now', 'daily'] as const
export type MailChoice = (typeof MAIL_CHOICES)[number]

export interface KindChoice {
  inApp: boolean
  mail: MailChoice
}

/** In the order of the settings page. */
export const NOTIFICATION_KINDS = {
  assigned: { inApp: true, mail: 'off' },
  mentioned: { inApp: true, mail: 'off' },
  due: { inApp: true, mail: 'off' },
  overdue: { inApp: true, mail: 'off' },
  reminder: { inApp: true, mail: 'off' },
  import: { inApp: true, mail: 'off' },
  workflow: { inApp: true, mail: 'off' },
  // Mails about disabled endpoints are older than these settings, so they stay the default.
  endpoint: { inApp: true, mail: 'now' },
} as const satisfies Readonly<Record<string, KindChoice>>
export type NotificationKind = keyof typeof NOTIFICATION_KINDS

export const KIND_NAMES = Object.keys(NOTIFICATION_KINDS) as NotificationKind[]

export const NOTIFICATION_DAYS = 90
/** Unread notifications are counted up to this number. */
export const UNREAD_COUNT_MAX = 100
