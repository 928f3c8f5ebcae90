// A notification in a list, with a link to its subject.
import { ActionIcon, Tooltip } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Archive, ArchiveRestore, Mail, MailOpen, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { wordsOf } from '../../../../contract/notification-words.ts'
import { objectsQuery } from '../../../shared/api/objects.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { TimeAgo } from '../../../ui/time.tsx'
import type { Notification } from '../api.ts'
import classes from './inbox.module.css'
import { useInboxChanges } from './use-inbox-changes.ts'
import { KINDS, targetOf } from './words.ts'

interface EntryProps {
  notification: Notification
  /** Called when the link is opened. */
  onOpen?: () => void
  /** Shown next to the link. */
  children?: ReactNode
}

function useWords(notification: Notification) {
  const org = useOrg()
  const { data: objects = [] } = useQuery(objectsQuery(org))
  const objectOf = (id: string) => objects.find((object) => object.id === id)
  return {
    words: wordsOf(notification, (id) => objectOf(id)?.pluralName),
    target: targetOf(org, notification, (id) => objectOf(id)?.slug ?? id),
  }
}

export function Entry({ notification, onOpen, children }: EntryProps) {
  const { words, target } = useWords(notification)
  const { change } = useInboxChanges()
  const { icon: Icon, name } = KINDS[notification.kind]
  const isUnread = notification.readAt === null
  const open = () => {
    if (isUnread) change(notification.id, { isRead: true })
    onOpen?.()
  }
  return (
    <li className={classes.entry} data-unread={isUnread || undefined}>
      <Icon size={16} aria-label={name} role="img" />
      <div className="fill">
        <Link to={target.to} search={(target.search ?? {}) as never} className={classes.link} onClick={open}>
          {isUnread && <span className="visually-hidden">Unread: </span>}
          {words}
        </Link>
        {notification.text && <p className={classes.text}>{notification.text}</p>}
        <p className="muted tiny">
          <TimeAgo value={notification.at} />
        </p>
      </div>
      {children}
      <span className={classes.dot} aria-hidden />
    </li>
  )
}

function Action({ label, onClick, children }: { label: string; onClick(): void; children: ReactNode }) {
  return (
    <Tooltip label={label}>
      <ActionIcon size={28} aria-label={label} onClick={onClick}>
        {children}
      </ActionIcon>
    </Tooltip>
  )
}

/** Buttons to mark as read, archive and delete, for the page. */
export function EntryActions({ notification: { id, readAt, archivedAt } }: Pick<EntryProps, 'notification'>) {
  const { change, remove } = useInboxChanges()
  return (
    <span className="flex fixed above">
      {archivedAt === null && (
        <Action
          label={readAt === null ? 'Mark as read' : 'Mark as unread'}
          onClick={() => change(id, { isRead: readAt === null })}
        >
          {readAt === null ? <MailOpen size={14} aria-hidden /> : <Mail size={14} aria-hidden />}
        </Action>
      )}
      <Action
        label={archivedAt === null ? 'Archive' : 'Move to the inbox'}
        onClick={() => change(id, { isArchived: archivedAt === null })}
      >
        {archivedAt === null ? <Archive size={14} aria-hidden /> : <ArchiveRestore size={14} aria-hidden />}
      </Action>
      <Action label="Delete" onClick={() => remove(id)}>
        <Trash2 size={14} aria-hidden />
      </Action>
    </span>
  )
}
