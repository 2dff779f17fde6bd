import { NoAdminAccess } from '../../components/admin/NoAdminAccess';
import { SiteScreen } from '../../components/admin/SiteScreen';
import { screenPage } from '../../components/ui/screenPage';
import { signedInPage } from '../../store/getPageProps';

export const getServerSideProps = signedInPage(() => Promise.resolve({ props: {} }));

export default screenPage('Site', 'manageSite', SiteScreen, NoAdminAccess);
