// A comment: author, time, text with links and mentions, and actions.
import { Anchor, Box, Menu } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Pencil, Trash2 } from 'lucide-react'
import { Fragment, useState } from 'react'
import { partsOf } from '../../../../contract/mentions.ts'
import { membersQuery } from '../../../shared/api/members.ts'
import { ConfirmDialog } from '../../../shared/confirm-dialog.tsx'
import { useOrganization } from '../../../shared/use-organization.ts'
import { UserAvatar } from '../../../shared/user-avatar.tsx'
import { MoreMenu } from '../../../ui/more-menu.tsx'
import { TimeAgo } from '../../../ui/time.tsx'
import type { Comment } from '../api.ts'
import { CommentForm } from './comment-form.tsx'
import { linkParts } from './mention-text.ts'
import type { Comments } from './use-comments.ts'

const Linked = ({ text }: { text: string }) =>
  linkParts(text).map((part, index) =>
    part.isLink ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text have no other name
      <Anchor key={index} href={part.text} target="_blank" rel="noopener noreferrer nofollow">
        {part.text}
      </Anchor>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text have no other name
      <Fragment key={index}>{part.text}</Fragment>
    ),
  )

function CommentText({ comment: { text, mentions } }: { comment: Comment }) {
  const names = new Map(mentions.map(({ id, name, email }) => [id, name || email]))
  return (
    <Box component="p" className="small breakable" pl={28} style={{ whiteSpace: 'pre-wrap' }}>
      {partsOf(text).map((part, index) =>
        'text' in part ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text have no other name
          <Linked key={index} text={part.text} />
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text have no other name
          <span key={index} className="medium accent">
            @{names.get(part.userId) ?? 'Former member'}
          </span>
        ),
      )}
    </Box>
  )
}

interface CommentEntryProps {
  comment: Comment
  comments: Comments
  isReadOnly: boolean
}

function CommentMenu({ mayEdit, onEdit, onDelete }: { mayEdit: boolean; onEdit(): void; onDelete(): void }) {
  return (
    <MoreMenu position="bottom-end" label="Actions of the comment" button={{ size: 24 }} icon={14}>
      {mayEdit && (
        <Menu.Item leftSection={<Pencil size={14} aria-hidden />} onClick={onEdit}>
          Edit
        </Menu.Item>
      )}
      <Menu.Item color="red" leftSection={<Trash2 size={14} aria-hidden />} onClick={onDelete}>
        Delete
      </Menu.Item>
    </MoreMenu>
  )
}

function Byline({ comment }: { comment: Comment }) {
  const { organization } = useOrganization()
  const { data: members = [] } = useQuery(membersQuery(organization.slug))
  const { createdBy: author, createdAt, editedAt } = comment
  const image = members.find(({ user }) => user.id === author.id)?.user.image ?? null
  return (
    <div className="row gap-8 small shrink">
      <UserAvatar user={{ ...author, image }} size={20} />
      <strong className="truncate">{author.name || author.email}</strong>
      <span className="muted tiny nowrap">
        <TimeAgo value={createdAt} />
        {editedAt !== null && ' · edited'}
      </span>
    </div>
  )
}

export function CommentEntry({ comment, comments, isReadOnly }: CommentEntryProps) {
  const { user, may } = useOrganization()
  const [doing, setDoing] = useState<'edit' | 'delete'>()
  const close = () => setDoing(undefined)
  const isMine = comment.createdBy.id === user.id
  const mayDelete = !isReadOnly && (isMine || may('admin'))
  return (
    <Box component="li" pt={8} pb={4}>
      <div className="row between">
        <Byline comment={comment} />
        {mayDelete && (
          <CommentMenu mayEdit={isMine} onEdit={() => setDoing('edit')} onDelete={() => setDoing('delete')} />
        )}
      </div>
      {doing === 'edit' ? (
        <CommentForm
          place={comment.id}
          label="Edit comment"
          initial={comment.text}
          submit="Save"
          onSave={(text) => comments.edit(comment, text)}
          onClose={close}
        />
      ) : (
        <CommentText comment={comment} />
      )}
      {doing === 'delete' && (
        <ConfirmDialog
          title="Delete this comment?"
          confirm="Delete comment"
          onConfirm={() => comments.remove(comment)}
          onClose={close}
        >
          It will be moved to the trash of activities and comments, from where it can be restored.
        </ConfirmDialog>
      )}
    </Box>
  )
}
