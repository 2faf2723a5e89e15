import t from 'tap';
import { ranked } from '../../src/tool/rank.ts';

const tool = (name: string, description: string, schema = '') => ({
  name,
  path: `/ctx/tool/${name}`,
  description,
  schema,
});
const tools = [
  tool('fs.read', 'Read a file.', '{"properties":{"path":{}}}'),
  tool('fs.list', 'List a directory.', '{"properties":{"path":{}}}'),
  tool('reader', 'Something else that can list.'),
  tool('mail', 'Send mail to a directory of people.'),
];
const names = (...terms: string[]) => ranked(tools, terms).map(({ name }) => name);

t.test('a name counts more than a description, and that more than a schema', async (t) => {
  t.same(names('list'), ['fs.list', 'reader']);
  t.same(names('read'), ['fs.read', 'reader']);
  t.same(names('path'), ['fs.list', 'fs.read']);
  t.same(names('directory'), ['fs.list', 'mail']);
});

t.test('every term must fit; case does not count', async (t) => {
  t.same(names('LIST', 'directory'), ['fs.list']);
  t.same(names('list', 'nothing'), []);
});
