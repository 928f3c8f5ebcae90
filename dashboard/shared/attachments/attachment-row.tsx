// One attached file. Its name opens it. Its menu renames, downloads and removes it.

import { Menu, TextInput } from '@mantine/core'
import { Download, ExternalLink, Pencil, Trash2 } from 'lucide-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { ATTACHMENT_NAME_MAX } from '../../../contract/limits.ts'
import { formatBytes } from '../../ui/bytes.ts'
import { MoreMenu } from '../../ui/more-menu.tsx'
import { ColumnTime } from '../../ui/time.tsx'
import { tooLong } from '../../ui/too-long.ts'
import type { Attachment, Subject } from './api.ts'
import { isShown } from './file-kinds.ts'
import classes from './files.module.css'
import { Thumbnail } from './thumbnail.tsx'
import { useAttachmentChanges } from './use-attachment-changes.ts'

interface RowProps {
  subject: Subject
  attachment: Attachment
  /** The reason why the files cannot be changed; undefined if they can. */
  locked: string | undefined
}

/** Enter, or leaving the field, saves the name. Escape restores it. */
function NameField({
  name,
  onDone,
}: {
  name: string
  onDone(name: string | undefined, byKey: boolean): void
}) {
  const [text, setText] = useState(name)
  const problem = tooLong(text, ATTACHMENT_NAME_MAX)
  const isDone = useRef(false)
  const end = (result: string | undefined, byKey: boolean) => {
    if (isDone.current) return
    isDone.current = true
    onDone(result?.trim() || undefined, byKey)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') {
      // In the form of an activity, Enter would also submit the form.
      event.preventDefault()
      if (problem === undefined) end(text, true)
    }
    if (event.key === 'Escape') {
      event.stopPropagation()
      end(undefined, true)
    }
  }
  // Users change the part of the name before the extension.
  const select = (input: HTMLInputElement) => {
    const dot = input.value.lastIndexOf('.')
    input.setSelectionRange(0, dot > 0 ? dot : input.value.length)
  }
  return (
    <TextInput
      size="xs"
      aria-label={`New name of ${name}`}
      value={text}
      error={problem}
      autoFocus
      data-mantine-stop-propagation="true"
      onFocus={({ currentTarget }) => select(currentTarget)}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      onBlur={() => end(text, false)}
      onKeyDown={onKeyDown}
    />
  )
}

function Actions({
  attachment,
  locked,
  onRename,
  onRemove,
}: Omit<RowProps, 'subject'> & { onRename(): void; onRemove(): void }) {
  const { name, url, contentType } = attachment
  const [isOpen, setOpen] = useState(false)
  // The menu must close first. When it closes, it returns the focus to its button.
  const choose = (action: () => void) => () => {
    flushSync(() => setOpen(false))
    action()
  }
  return (
    <MoreMenu
      width={168}
      opened={isOpen}
      onChange={setOpen}
      label={`Actions for ${name}`}
      button={{ size: 'sm', className: 'fixed', 'data-actions': true }}
      icon={14}
    >
      {isShown(contentType) && (
        <Menu.Item
          component="a"
          href={url}
          target="_blank"
          rel="noopener"
          leftSection={<ExternalLink size={14} aria-hidden />}
        >
          Open
        </Menu.Item>
      )}
      <Menu.Item component="a" href={url} download={name} leftSection={<Download size={14} aria-hidden />}>
        Download
      </Menu.Item>
      <Menu.Divider />
      <Menu.Item
        disabled={locked !== undefined}
        title={locked}
        leftSection={<Pencil size={14} aria-hidden />}
        closeMenuOnClick={false}
        onClick={choose(onRename)}
      >
        Rename
      </Menu.Item>
      <Menu.Item
        disabled={locked !== undefined}
        title={locked}
        c={locked === undefined ? 'var(--danger)' : undefined}
        leftSection={<Trash2 size={14} aria-hidden />}
        closeMenuOnClick={false}
        onClick={choose(onRemove)}
      >
        Remove
      </Menu.Item>
    </MoreMenu>
  )
}

function FileLink({ name, url, contentType }: Attachment) {
  const kind = isShown(contentType) ? { target: '_blank', rel: 'noopener' } : { download: name }
  return (
    <a href={url} className="truncate medium underlined" title={name} {...kind}>
      {name}
    </a>
  )
}

export function AttachmentRow({ subject, attachment, locked }: RowProps) {
  const [isRenaming, setRenaming] = useState(false)
  const { rename, remove } = useAttachmentChanges(subject)
  const { contentType, url, size, createdAt, createdBy } = attachment
  const row = useRef<HTMLLIElement>(null)
  const endRenaming = (name: string | undefined, byKey: boolean) => {
    setRenaming(false)
    // The focus returns to the menu button, because the field with the focus disappears.
    if (byKey) row.current?.querySelector<HTMLElement>('[data-actions]')?.focus()
    if (name !== undefined && name !== attachment.name) void rename(attachment, name)
  }
  const takeAway = () => {
    row.current?.closest('section')?.querySelector<HTMLElement>('[data-add]')?.focus()
    void remove(attachment)
  }
  return (
    <li ref={row} className={classes.file}>
      <Thumbnail contentType={contentType} size={size} url={url} />
      <div className="stack fill">
        {isRenaming ? (
          <NameField name={attachment.name} onDone={endRenaming} />
        ) : (
          <FileLink {...attachment} />
        )}
        <span className="truncate muted tiny tabular">
          {formatBytes(size)} · <ColumnTime value={createdAt} />
          {createdBy && ` by ${createdBy.name || createdBy.email}`}
        </span>
      </div>
      <Actions
        attachment={attachment}
        locked={locked}
        onRename={() => setRenaming(true)}
        onRemove={takeAway}
      />
    </li>
  )
}
