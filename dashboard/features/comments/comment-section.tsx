// The comments of members on a record.
import { Box, Button } from '@mantine/core'
import { MessageSquare } from 'lucide-react'
import { formatCount } from '../../../contract/counted.ts'
import { messageOf } from '../../shared/api/errors.ts'
import type { RecordPlace } from './api.ts'
import { CommentEntry } from './thread/comment-entry.tsx'
import { CommentForm } from './thread/comment-form.tsx'
import { useComments } from './thread/use-comments.ts'

interface CommentSectionProps extends Omit<RecordPlace, 'org'> {
  isReadOnly: boolean
}

export function CommentSection({ object, record, isReadOnly }: CommentSectionProps) {
  const comments = useComments({ object, record })
  const { list, total } = comments
  return (
    <Box component="section" mt={16} aria-label="Comments">
      <header className="group-head">
        <MessageSquare size={14} aria-hidden />
        <h2>Comments</h2>
        {total > 0 && <span className="tiny tabular">{formatCount(total)}</span>}
      </header>
      {!isReadOnly && (
        <CommentForm
          key={record}
          place={`on ${object} ${record}`}
          label="New comment"
          submit="Comment"
          onSave={comments.create}
        />
      )}
      {list.error && !list.data && <p className="danger small">{messageOf(list.error)}</p>}
      <ul>
        {comments.comments.map((comment) => (
          <CommentEntry key={comment.id} comment={comment} comments={comments} isReadOnly={isReadOnly} />
        ))}
      </ul>
      {list.hasNextPage && (
        <Button
          variant="subtle"
          color="gray"
          size="compact-xs"
          onClick={() => void list.fetchNextPage()}
          loading={list.isFetchingNextPage}
        >
          Show older comments
        </Button>
      )}
    </Box>
  )
}
