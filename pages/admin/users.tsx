import { NoAdminAccess } from '../../components/admin/NoAdminAccess';
import { UsersScreen } from '../../components/admin/UsersScreen';
import { screenPage } from '../../components/ui/screenPage';
import { signedInPage } from '../../store/getPageProps';

export const getServerSideProps = signedInPage(() => Promise.resolve({ props: {} }));

export default screenPage('Users', 'manageUsers', UsersScreen, NoAdminAccess);
